//! The behaviour of the program and of the library as one.
