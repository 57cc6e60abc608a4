import type { Draft } from '../../contacts/draft.ts';
import { exampleMember, type Member } from '../../members/member.ts';
import { newId } from '../../values/identifier.ts';
import { addSeconds, formatTimestamp } from '../../values/timestamp.ts';

// Invented people, with addresses that nobody can own (RFC 2606) and 555 numbers.
const givenNames = (
  'Ada, Björn, Chiara, Dmytro, Élodie, Fatıma, Grzegorz, Hồng, Ítalo, 静香, Kwame, Łucja, María José, ' +
  'नीरज, Ørjan, Παύλος, Qudrat, Ренат, Søren, 민준, Ursula, Väinö, William, Ximena, يوسف, Zoë'
).split(', ');
const familyNames = (
  'Ångström, Brandão, Çelik, Dvořák, Eze, Fernández, García, Håkansson, Ivanova, Jørgensen, Kovács, ' +
  'Lý, Müller, Nakamura, O’Connor, Petrović, Quispe, Rossi, Șerban, Tamm, Uğur, Vũ, Weiß, Xu, ' +
  'Yılmaz, Zając'
).split(', ');
const jobTitles = 'Head of Sales, Nurse, Product Owner, Student, Teacher, Chief Executive, Carpenter'.split(', ');
const companies = ['Example Ltd', 'Exempel AB', 'Ejemplo S.A.', '例示株式会社', 'Beispiel GmbH'];
const firstMeeting = new Date('2024-06-08T13:38:33Z');
const meetingsApartSeconds = 7_919;

/** Every role, both statuses, and more members than fit on one page. */
export function madeUpMembers(): (Member & { id?: string })[] {
  const team: [string, Member['status'], Member['roles']][] = [
    ['ada@example.com', 'Active', ['Owner', 'Billing']],
    ['bjorn@example.com', 'Active', ['Admin']],
    ['chiara@example.com', 'Active', ['Editor', 'Analyst']],
    ['dmytro@example.com', 'Active', ['Agent']],
    ['elodie@example.com', 'Pending', ['Billing']],
    ['fatima@example.com', 'Pending', ['Viewer']],
  ];
  const agents = Array.from({ length: 13 }, (_, index) => `agent-${index + 1}@example.org`);
  return [
    ...team.map(([email, status, roles]) => ({ email, status, roles })),
    { id: exampleMember.id, email: exampleMember.email, status: exampleMember.status, roles: exampleMember.roles },
    ...agents.map((email, at): Member => ({ email, status: at % 5 === 4 ? 'Pending' : 'Active', roles: ['Agent'] })),
  ];
}

export function madeUpContacts(count: number, seed: number): Draft[] {
  return Array.from({ length: count }, (_, i) => {
    const n = i + seed * count;
    const texts = {
      id: newId(),
      name: n % 11 === 10 ? null : `${pick(givenNames, n)} ${pick(familyNames, n * 7 + seed)}`,
      email: n % 4 === 3 ? null : `person-${n + 1}@example.com`,
      job_title: n % 3 === 0 ? pick(jobTitles, n) : null,
      phone: n % 2 === 0 || n % 4 === 3 ? `+1 555 01${String(n % 100).padStart(2, '0')}` : null,
      website: n % 5 === 0 ? `https://example.com/people/${n + 1}` : null,
      company: n % 3 === 1 ? null : pick(companies, n),
      created_at: formatTimestamp(addSeconds(firstMeeting, n * meetingsApartSeconds)),
    };
    return { texts };
  });
}

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}
