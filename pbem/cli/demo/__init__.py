"""`pbem demo`: a club on this machine, and a whole game played by itself."""
