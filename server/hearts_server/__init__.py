"""The table server: tables, seats, lobby and gRPC services."""
