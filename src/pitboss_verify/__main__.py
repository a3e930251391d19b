"""`python -m pitboss_verify LOG [--heads FILE] [--key FILE]`."""

import sys

from pitboss_verify.command import main

sys.exit(main())
