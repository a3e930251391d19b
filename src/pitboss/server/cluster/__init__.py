"""Several server processes on one floor: leases, peers, following."""
