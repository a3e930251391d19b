"""The floor over HTTP and WebSocket: the composition root, tables that run, and what each person may see."""
