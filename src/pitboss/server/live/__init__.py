"""What runs while tables are open: sockets, views and background loops."""
