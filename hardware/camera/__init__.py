"""From a picture to the cards on a table: outlines → index crops → net and pips → votes → reading, one file each."""
