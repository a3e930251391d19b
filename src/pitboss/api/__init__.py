"""The Python API that notebooks, the command line and the server's lab call."""
