"""The HTTP and WebSocket server: the composition root, running tables, and the views each person may see."""
