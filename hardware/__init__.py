"""The devices of a table: readers, and stand-ins for them. Strangers to screens and storage."""
