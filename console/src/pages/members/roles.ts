/** The roles that can be given, with what they allow. */
export const givenRoles = [
  ['Admin', 'Admin', 'Everything except handing the project over and making sign-in links for other members'],
  ['Editor', 'Editor', 'Creates and changes chatbots'],
  ['Analyst', 'Analyst', 'Reads, imports, changes and deletes contacts'],
  ['Agent', 'Agent', 'Reads contacts'],
  ['Billing', 'Billing', 'Sees the usage of the project'],
  ['Viewer', 'Viewer', 'Sees the chatbots'],
] as const;

export type GivenRole = (typeof givenRoles)[number][0];
