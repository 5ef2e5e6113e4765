"""Python code generated from proto/hearts; edit the .proto files, not this."""
