/** The token in an Authorization header; undefined where there is none. RFC 9110 §11.1: the scheme in any letter case. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +(\S.*)$/i.exec(header ?? '')?.[1]?.trimEnd();
}
