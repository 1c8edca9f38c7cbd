package install

// migrate plans the way of an existing viber.yml to the newest schema.
func (s *setupPlan) migrate(path string, before []byte) error { return nil }
