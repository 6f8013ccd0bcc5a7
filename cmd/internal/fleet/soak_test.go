package fleet

import "os"

// soak tells that the long runs are wanted.
func soak() bool { return os.Getenv("ASSAY_SOAK") != "" }
