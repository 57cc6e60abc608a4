const anythingElse = /[^0-9]+/g;

/** The digits 0 to 9 of a telephone number, by which it is found; empty where it has none. */
export function digitsOf(phone: string): string {
  return phone.replaceAll(anythingElse, '');
}
