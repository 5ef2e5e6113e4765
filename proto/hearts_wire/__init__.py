"""The one place that knows both the engine's dataclasses and the protobuf messages."""
