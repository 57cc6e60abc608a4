/** The roles that can be given, with what they allow. */
export const givenRoles = [
  ['Admin', 'Admin', 'Everything but handing over the project and links for others'],
  ['Editor', 'Editor', 'Creates and changes chatbots'],
  ['Analyst', 'Analyst', 'Reads, changes and imports contacts'],
  ['Agent', 'Agent', 'Reads contacts'],
  ['Billing', 'Billing', 'Sees the usage of the project'],
  ['Viewer', 'Viewer', 'Sees the chatbots'],
] as const;
