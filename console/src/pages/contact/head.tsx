import { curlFor } from '../../curl.ts';
import { IconButton } from '../../ui/button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { titleOf, wholeInclude } from '../contacts/person.ts';
import { Sign } from '../contacts/sign.tsx';
import { Actions } from './actions.tsx';
import { AlsoIn } from './also-in.tsx';
import { Editor, Unsaved } from './field-row.tsx';
import { fields, headingOf, reachNames } from './fields.ts';
import type { Sheet } from './held.ts';
import { ReachRow } from './reach-row.tsx';
import { Tags } from './tags.tsx';

/** Who the person is, how to reach them, and where else they are known. */
export function Head(sheet: Sheet) {
  const { chatbotId, person, mayWrite, edited, edit } = sheet;
  const title = headingOf(person);
  const code = curlFor('retrieveContact', { chatbotId, contactId: person.id, include: wholeInclude });
  return (
    <section class="card person" aria-label="Person">
      <div class="person-head" data-field={title}>
        <Sign person={person} />
        <PageHead title={titleOf(person)} tab="Contact" code={code}>
          {mayWrite && (
            <IconButton
              icon="pencil"
              label={`Edit ${fields[title].label}`}
              data-edit={title}
              onClick={() => edit(title)}
            />
          )}
          <Actions {...sheet} />
        </PageHead>
      </div>
      {edited === title ? <Editor {...sheet} name={title} /> : <Unsaved {...sheet} name={title} />}
      <div class="row">
        {reachNames.map((name) => person[name] !== null && <ReachRow key={name} {...sheet} name={name} />)}
      </div>
      <Tags {...sheet} />
      <AlsoIn {...sheet} />
    </section>
  );
}
