import { curlFor } from '../../curl.ts';
import { draftOf } from '../../drafts.ts';
import type { ContactProperties } from '../../types.ts';
import { IconButton } from '../../ui/button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { titleOf, wholeInclude } from '../contacts/person.ts';
import { Sign } from '../contacts/sign.tsx';
import { Actions, type ActionsProps } from './actions.tsx';
import { AlsoIn } from './also-in.tsx';
import { Editor } from './field-row.tsx';
import type { Editing } from './fields-card.tsx';
import { fields, headingOf, reachNames } from './fields.ts';
import { ReachRow } from './reach-row.tsx';
import { Tags } from './tags.tsx';

interface HeadProps {
  editing: Editing;
  actions: ActionsProps;
  /** The properties that were changed last. */
  done: ContactProperties | undefined;
}

/** Who the person is, how to reach them, and where else they are known. */
export function Head({ editing, actions, done }: HeadProps) {
  const { place, person, mayWrite, edited, edit, close, save } = editing;
  const title = headingOf(person);
  const input = { chatbotId: actions.chatbotId, contactId: actions.contactId };
  const code = done
    ? curlFor('updateContact', { ...input, properties: done })
    : curlFor('retrieveContact', { ...input, include: wholeInclude });
  const draft = draftOf(`${place}/${title}`);
  const propsOf = <Name extends keyof typeof fields>(name: Name) => ({
    place,
    name,
    value: person[name],
    mayWrite,
    isEdited: edited === name,
    onEdit: () => edit(name),
    onClose: () => close(name),
    save,
  });
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
          <Actions {...actions} />
        </PageHead>
      </div>
      {draft !== undefined && edited !== title && <p class="detail-draft">Not saved: {draft}</p>}
      {edited === title && mayWrite && <Editor {...propsOf(title)} />}
      <div class="row">
        {reachNames.map((name) => person[name] !== null && <ReachRow key={name} {...propsOf(name)} />)}
      </div>
      <Tags place={place} chatbotId={actions.chatbotId} person={person} mayWrite={mayWrite} save={save} />
      <AlsoIn chatbotId={actions.chatbotId} person={person} />
    </section>
  );
}
