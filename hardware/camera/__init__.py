"""From a picture to the cards on a table: outlines → index crops and faces → nets → votes → reading, one file each."""
