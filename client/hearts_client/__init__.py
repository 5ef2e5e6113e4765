"""The client: connection, session, plain mode and the full-screen table."""
