package install

// linksImpossible reports whether a folder copy is worth a try: on Windows after any failure to make a junction.
func linksImpossible(err error) bool { return err != nil }
