"""Stand-ins for devices that speak over real ports, so that nothing behind the port knows the difference."""
