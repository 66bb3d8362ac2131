const suffixes: Record<string, number> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The numeric value of a Kubernetes quantity, such as 2147483648 for "2Gi"; undefined if it is not a quantity. */
export function amountOf(quantity: string | undefined): number | undefined {
  const match = /^([+-]?[0-9]+(?:\.[0-9]*)?|[+-]?\.[0-9]+)(?:([eE][+-]?[0-9]+)|([a-zA-Z]*))$/.exec(quantity ?? '');
  if (!match) return undefined;
  const [, digits = '', exponent = '', suffix = ''] = match;
  const factor = Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : undefined;
  return factor === undefined ? undefined : Number(`${digits}${exponent}`) * factor;
}
