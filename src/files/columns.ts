/** Which headings mean a field, best first, each in its plain form (see `plain`). */
export type Synonyms<Field extends string> = {
  readonly [F in Field]: readonly (string | readonly [string, string])[];
};

/** Where a field's text is taken from: the first source with one. Two headings together are joined by a space. */
export type Sources = readonly (readonly number[])[];

export interface Columns<Field extends string> {
  sources: ReadonlyMap<Field, Sources>;
  /** Headings that mean no field. */
  leftOut: readonly string[];
}

// The exports of Chatling, Chatbase, Chatwoot, HubSpot, Intercom, Google Contacts and Outlook.
export const contactSynonyms = {
  id: ['id', 'contactid', 'recordid', 'recordidcontact'],
  name: [
    'name',
    'fullname',
    'contactname',
    'displayname',
    ['firstname', 'lastname'],
    ['givenname', 'familyname'],
  ],
  email: [
    'email',
    'emailaddress',
    'email1value',
    'emailvalue',
    'primaryemail',
    'workemail',
    'contactemail',
    'mail',
  ],
  job_title: ['jobtitle', 'organizationtitle', 'organization1title', 'position', 'title'],
  phone: [
    'phone',
    'phonenumber',
    'phone1value',
    'businessphone',
    'workphone',
    'primaryphone',
    'mobilephone',
    'mobilephonenumber',
    'mobile',
    'telephone',
    'tel',
    'homephone',
    'companymainphone',
    'cell',
    'cellphone',
  ],
  website: [
    'website',
    'websiteurl',
    'website1value',
    'webpage',
    'url',
    'homepage',
    'personalwebpage',
    'companydomainname',
  ],
  company: [
    'company',
    'companyname',
    'organization',
    'organisation',
    'organizationname',
    'organization1name',
    'associatedcompany',
  ],
  created_at: [
    'createdat',
    'createdate',
    'created',
    'createdon',
    'createddate',
    'datecreated',
    'creationdate',
    'signedup',
    'firstseen',
  ],
} as const satisfies Synonyms<string>;

export const memberSynonyms = {
  email: ['email', 'emailaddress', 'mail', 'useremail', 'memberemail'],
  status: ['status', 'memberstatus', 'membershipstatus'],
  roles: ['roles', 'role', 'userrole', 'memberrole', 'memberroles'],
} as const satisfies Synonyms<string>;

// A second column is asked where the first is empty, but not here: ids of two kinds are not one,
// and a "Title" may be a Dr.
const singleSource = new Set(['id', 'created_at', 'job_title']);

/** A heading without what does not count: case, spaces, `_`, `-`, and a time zone or the like in brackets at its end. */
export function plain(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/\([^()]*\)\s*$/, '')
    .replaceAll(/[\s_-]/g, '');
}

const digitsOfNumber = 7;

/** Whether it cannot be a heading, but is somebody's address or number, which nobody may be told: a file without headings. */
export function isAboutSomebody(heading: string): boolean {
  return heading.includes('@') || heading.replaceAll(/\D/g, '').length >= digitsOfNumber;
}

/**
 * Finds the fields among the headings. `mapped` (field → heading) decides for its fields alone; its
 * headings are then taken for nothing else.
 */
export function matchColumns<Field extends string>(
  headings: readonly string[],
  synonyms: Synonyms<Field>,
  mapped: ReadonlyMap<string, string>,
): Columns<Field> {
  const plainHeadings = headings.map(plain);
  const taken = new Set([...mapped.values()].map(plain));
  const place = (heading: string) => (taken.has(heading) ? -1 : plainHeadings.indexOf(heading));
  const sources = new Map<Field, Sources>();
  for (const field of Object.keys(synonyms) as Field[]) {
    const wanted = mapped.get(field);
    const found =
      wanted === undefined
        ? synonyms[field].map((source) =>
            [source]
              .flat()
              .map(place)
              .filter((index) => index >= 0),
          )
        : [[plainHeadings.indexOf(plain(wanted))].filter((index) => index >= 0)];
    const present = found.filter((places) => places.length > 0);
    if (present.length > 0) sources.set(field, singleSource.has(field) ? present.slice(0, 1) : present);
  }
  const used = new Set([...sources.values()].flat(2));
  return { sources, leftOut: headings.filter((_, index) => !used.has(index)) };
}

/** The row's text for each field that has one, without space around it; or what is wrong with a cell that is none. */
export function pick<Field extends string>(
  columns: Columns<Field>,
  cells: readonly unknown[],
): { texts: { [F in Field]?: string } } | { objections: string[] } {
  const texts: { [F in Field]?: string } = {};
  for (const [field, sources] of columns.sources) {
    for (const places of sources) {
      let text = '';
      for (const place of places) {
        const part = cellText(cells[place]);
        if (typeof part !== 'string') return { objections: [`${field} ${part.objection}`] };
        if (part !== '') text = text === '' ? part : `${text} ${part}`;
      }
      if (text === '') continue;
      texts[field] = text;
      break;
    }
  }
  return { texts };
}

function cellText(cell: unknown): string | { objection: string } {
  if (typeof cell === 'string') return firstValue(cell);
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'boolean') return String(cell);
  if (typeof cell === 'number') {
    // JSON has read 12345678901234567891 as another number by now.
    const isExact = Number.isSafeInteger(cell) || !Number.isInteger(cell);
    return isExact ? String(cell) : { objection: 'is a number too long to be exact; put it in quotes' };
  }
  if (Array.isArray(cell) && cell.every((item) => typeof item === 'string')) {
    return cell
      .map(firstValue)
      .filter((item) => item !== '')
      .join(',');
  }
  return { objection: 'is not a text' };
}

// Google joins several values of one cell by " ::: "; a person has room for the first.
function firstValue(text: string): string {
  const end = text.indexOf(' ::: ');
  return (end < 0 ? text : text.slice(0, end)).trim();
}
