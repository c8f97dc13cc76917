"""What is measured: throughput, strength, co-op win rates; and the command line on top."""
