"""What happens while tables run: sockets, views, background loops."""
