import { curlFor } from '../../curl.ts';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/curl.tsx';
import { Empty } from '../../ui/empty.tsx';
import type { PeopleList } from './list.ts';
import { countOf, type Filters } from './view.ts';

interface NobodyFoundProps {
  list: PeopleList;
  chatbotId: string;
  onFilter: (next: Partial<Filters>) => void;
}

export function NobodyFound({ list, chatbotId, onFilter }: NobodyFoundProps) {
  const { view } = list;
  if (!view) return null;
  const hasFilters = countOf(view) > 0;
  const { query, tag } = view;
  // The words themselves stay out of a text that is made to be copied.
  const example = { chatbotId, ...(query === '' ? {} : { query: 'ana fer' }), ...(tag === '' ? {} : { tag }) };
  return (
    <Empty
      icon="search"
      title="Nobody found"
      actions={
        <>
          {hasFilters && (
            <Button onClick={() => onFilter({ tag: '', after: '', before: '' })}>Clear the filters</Button>
          )}
          {query !== '' && <Button onClick={() => list.show({ ...view, query: '' })}>Clear the search</Button>}
        </>
      }
    >
      <p>
        Roster looks for words that begin with what you type: in the name, e-mail, company, job title, external id, tags
        and phone.
        {hasFilters ? ' The filters narrow it further.' : ' Fewer letters find more people.'}
      </p>
      <Curl
        title="Do the same on the command line or with curl"
        code={`roster contacts find 'ana fer' --chatbot ${chatbotId}\n\n${curlFor('searchContacts', example)}`}
      />
    </Empty>
  );
}
