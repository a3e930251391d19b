"""Verifies a record without using any of the code that wrote it."""

from pitboss_verify.checking import UnusableFile, verify
from pitboss_verify.report import Report

__all__ = ["Report", "UnusableFile", "verify"]
