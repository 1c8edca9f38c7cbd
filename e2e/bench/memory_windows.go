package main

import "os"

func peakMemory(*os.ProcessState) (mib float64, known bool) { return 0, false }
