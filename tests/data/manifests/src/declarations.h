/* A header, which no compiler is given. */
