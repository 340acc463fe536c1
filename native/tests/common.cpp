// Nothing: it is there so that the headers that every test reads are compiled once.
