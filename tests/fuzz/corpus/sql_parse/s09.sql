SELECT a FROM t WHERE a = 'x
y'