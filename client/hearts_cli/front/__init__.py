"""What `hearts` alone opens: a menu of what there is to do, and the pages behind it."""
