import { useRef } from 'preact/hooks';

import { call } from '../../api.ts';
import { useQuery } from '../../query.ts';
import { Combobox } from '../../ui/combobox.tsx';
import type { Described } from '../../ui/field.tsx';
import type { Value } from './chips.ts';

interface Answer {
  values: { value: Value; count: number }[];
  is_complete: boolean;
}

interface ValueFieldProps extends Described {
  /** Whose values are suggested; `attributes` stands for the names of attributes. */
  field: string;
  /** Empty for all chatbots. */
  chatbotId?: string;
  value: string;
  onValue: (value: string) => void;
  onChoose?: (value: string) => void;
}

/** A field of any text, with the values that contacts have. */
export function ValueField({ field, chatbotId = '', value, ...rest }: ValueFieldProps) {
  const typed = value.trim().slice(0, 100);
  const input = { field, text: typed, ...(chatbotId !== '' && { chatbot_id: chatbotId }) };
  const { data } = useQuery(['contacts', 'values', chatbotId, field, typed], (signal) =>
    call<Answer>('POST', '/contacts/values', input, { signal }),
  );
  // Until the next answer the list stays as it is.
  const last = useRef<Answer>(undefined);
  if (data) last.current = data;
  const { values = [], is_complete: isComplete = false } = last.current ?? {};
  const options = values.map((one) => {
    const text = String(one.value);
    // Of a part of the contacts a number would be wrong; the order is that of the part.
    return Object.assign({ value: text, label: text }, isComplete && { about: one.count.toLocaleString() });
  });
  return <Combobox {...rest} value={value} options={options} isFree onText={() => undefined} />;
}
