"""Several server processes on one floor: leases, peers and following."""
