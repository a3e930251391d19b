"""The house's controls: settings, cage and vault, slips, counted trays, drop boxes and unexplained differences."""
