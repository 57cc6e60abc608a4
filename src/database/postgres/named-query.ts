import { Query } from 'pg';

/** Columns of an answer, as pg describes them. */
interface Columns {
  fields: readonly unknown[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** pg's connection, below its client. */
interface PgConnection {
  describe(portal: object): void;
}

interface Internals extends Query {
  _result: Columns;
  _accumulateRows: boolean;
  prepare(connection: PgConnection): void;
  handleCommandComplete(message: unknown, connection: PgConnection): void;
}

interface Described {
  readonly columns: Map<string, Columns>;
  /** The same connection, but it asks for no columns. */
  readonly asking: PgConnection;
}

const described = new WeakMap<PgConnection, Described>();

const Base = Query as unknown as new (...given: ConstructorParameters<typeof Query>) => Internals;

/**
 * A statement with a name, whose columns a connection asks for once: as long as it is prepared there, PostgreSQL refuses to
 * answer with others. pg asks each time, and reads the same columns anew.
 */
export class NamedQuery extends Base {
  declare name: string;

  constructor(name: string, ...given: ConstructorParameters<typeof Query>) {
    super(...given);
    this.name = name;
  }

  override prepare(connection: PgConnection): void {
    const { columns, asking } = describedOn(connection);
    const known = columns.get(this.name);
    if (known) {
      Object.assign(this._result, known);
      this._accumulateRows = true;
    }
    super.prepare(known ? asking : connection);
  }

  override handleCommandComplete(message: unknown, connection: PgConnection): void {
    const { columns } = describedOn(connection);
    if (!columns.has(this.name)) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
      columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
    }
    super.handleCommandComplete(message, connection);
  }
}

function describedOn(connection: PgConnection): Described {
  let known = described.get(connection);
  if (!known) {
    const asking = Object.create(connection, { describe: { value: () => undefined } }) as PgConnection;
    known = { columns: new Map(), asking };
    described.set(connection, known);
  }
  return known;
}
