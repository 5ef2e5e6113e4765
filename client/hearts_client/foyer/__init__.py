"""The screens before and after a table: menus, forms, lists and texts."""
