"""Plain mode: one event a line, for screen readers, scripts and pipes."""
