"""From bytes to sightings: link → decoder → deck book → sighting, one file each."""
