/** Mutants without any visible effect, each with the reason. They count as killed. */
export interface Equivalent {
  readonly file: string;
  /** The mutated source text, as StrykerJS reports it. */
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

/** Equivalents of one file: [original, replacement, why]. */
const of = (
  file: string,
  ...rows: readonly (readonly [original: string, replacement: string, why: string])[]
): readonly Equivalent[] =>
  rows.map(([original, replacement, why]) => ({ file, original, replacement, why }));

const ORDER = 'src-shared/domain/order';
const RISK = 'src-shared/domain/risk';
const ARCHIVE = 'src-main/archive';
const ORDERS = 'src-main/orders';

export const EQUIVALENTS: readonly Equivalent[] = [
  ...of(
    'src-shared/amount.ts',
    ['e - c.length + 1', 'e - c.length - 1', 'only the difference of two such exponents is used'],
    ['point < 0', 'point <= 0', 'a plain decimal never begins with its point'],
  ),
  ...of(
    'src-shared/domain/account/account.ts',
    ['this.#read.set(symbolId, read);', ';', 'a contract is read again, with the same result'],
    ['crossed.size === 0', 'false', 'without a cross leg no price is set'],
    [
      'this.#context.account?.positions',
      'this.#context.account.positions',
      'without an account the figures of every coin are unknown, which returns before',
    ],
    ['[]', '["Stryker was here"]', 'the same'],
  ),
  ...of('src-shared/domain/margin/liquidation.ts', [
    'group.some(({ position }) => position.contractSide !== contractSide)',
    'group.every(({ position }) => position.contractSide !== contractSide)',
    'the members of a group have one contract side',
  ]),
  ...of(
    'src-shared/domain/reconcile/assignment.ts',
    ['before === undefined', 'false', 'a candidate that is not free has an owner'],
    ['[]', '["Stryker was here"]', 'each source has its own set'],
    ['reached.get(b)?.has', 'reached.get(b).has', 'the same'],
    ['next === undefined', 'false', 'as many candidates as sources: each has an owner by then'],
  ),
  ...of(
    'src-shared/domain/margin/tiers.ts',
    ['known', 'false', 'the list is parsed again, with the same result'],
    ['parsed.set(tiers, table);', ';', 'the same'],
    ['!row', 'false', 'each index is that of a row'],
    ['`no tier at ${String(index)} of ${String(table.length)}`', '``', 'the same'],
  ),
  ...of('src-shared/domain/margin/severity.ts', [
    "'healthy'",
    '""',
    'a grade that is not listed ranks below the listed ones',
  ]),
  ...of(
    `${ORDER}/limit-rules.ts`,
    ['notional.value === null', 'false', 'the margin of the same preview is null, too'],
    ['order.contract?.leverage', 'order.contract.leverage', 'an assumed leverage is that of a contract'],
    ['order.preview !== null', 'true', 'without a preview the reason is not null'],
    ['preview?.contract', 'preview.contract', 'a size is suggested only for a measured order'],
    ['preview === null', 'false', 'the same'],
    [
      '[initialMargin, equity, notional].find((one) => one.value === null)?.reason',
      '[initialMargin, equity, notional].find(one => one.value === null).reason',
      'one of them is null',
    ],
  ),
  ...of(
    `${ORDER}/tpsl-rules.ts`,
    [
      "sideOf('slExecutePrice')(order)?.state",
      "sideOf('slExecutePrice')(order).state",
      'the contract and the price are known, so the rule finds something',
    ],
    ['request.tpSl?.slTriggerType', 'request.tpSl.slTriggerType', 'its stop price is given'],
    ['order.contract === null', 'false', 'without a contract there is no average entry'],
  ),
  ...of(
    `${ORDER}/crossing.ts`,
    [
      "compare(amount(request.price), amount(near.price)) * (request.side === 'BUY' ? 1 : -1)",
      "compare(amount(request.price), amount(near.price)) / (request.side === 'BUY' ? 1 : -1)",
      'a product by 1 or −1 is the quotient',
    ],
    ['crossing?.state', 'crossing.state', 'what has no price does not rest'],
  ),
  ...of(
    `${ORDER}/rule-input.ts`,
    ['this.#result !== undefined && this.#isDearest', 'false', 'found again, with the same result'],
    ['this.#result !== undefined', 'true', 'the dearest is a result'],
    ['this.#result !== undefined', 'this.#result === undefined', 'found again, with the same result'],
    ['true', 'false', 'the same'],
    ['this.contract?.leverageFrom', 'this.contract.leverageFrom', 'asked of a known contract only'],
    [
      "!result.ok || result.preview.crossing?.state !== 'crosses'",
      'false',
      'what has no preview has none at its limit, and what rests has the same',
    ],
    ["result.preview.crossing?.state !== 'crosses'", 'false', 'the same'],
    ['!atLimit.ok', 'false', 'what has a preview has one at its limit'],
  ),
  ...of(
    `${ORDER}/rules.ts`,
    ['next === undefined', 'false', 'a field that is undefined is as one that is missing'],
    ['suggestion === undefined', 'false', 'the same'],
  ),
  ...of(`${ORDER}/margin-rules.ts`, ['after?.tier', 'after.tier', 'what opens leaves a position']),
  ...of(
    `${ORDER}/size.ts`,
    ['!isPositive(distance)', 'false', 'verified by the size itself, which rejects such a stop'],
    ["multiplier === '1'", 'false', 'the product by 1 is the price'],
  ),
  ...of(
    `${ORDER}/preview.ts`,
    ['filled === null', 'false', 'the contract was found before'],
    ['account.symbol(symbolId)?.held', 'account.symbol(symbolId).held', 'the same'],
    ['position?.side', 'position.side', 'what opens nothing closes a position'],
    ['level !== undefined', 'true', 'a contract without tiers has none afterwards'],
  ),
  ...of(
    'src-shared/domain/batch/ladder.ts',
    ...[
      'from === null || to === null || total === null || weights === null',
      'from === null || to === null || total === null',
      'from === null || to === null',
      'from === null',
      'to === null',
      'total === null',
      'weights === null',
    ].map((one) => [one, 'false', 'each that is null has its fault'] as const),
    ['/[\\s;]+/', '/[\\s;]/', 'empty parts are left out'],
    [
      'parts.some((part) => part === null)',
      'parts.every(part => part === null)',
      'a part of null has its fault',
    ],
    ['part === null', 'false', 'the same'],
  ),
  ...of(
    'src-shared/domain/batch/account-after.ts',
    ['[]', '["Stryker was here"]', 'null before the account is read; what is no order does not rest'],
    ['after === null', 'false', 'the account is read, as is asked before'],
    ['{ coins: [], notCounted }', '{}', 'the same'],
    ['context.account?.assets', 'context.account.assets', 'the same'],
    ['context.account?.positions', 'context.account.positions', 'the same'],
    [
      'contractOf(symbolId, context)?.config.riskLimitConfigs[0]?.level',
      'contractOf(symbolId, context)?.config.riskLimitConfigs[0].level',
      'a position with a tier is of a contract with tiers',
    ],
    ['contractOf(symbolId, context)?.config', 'contractOf(symbolId, context).config', 'the same'],
  ),
  ...of(
    'src-shared/domain/batch/row.ts',
    ['side === null', 'false', 'a cell that is not read has its fault'],
    ['type === null', 'false', 'the same'],
    ['quantity === undefined', 'false', 'the same'],
  ),
  ...of('src-shared/domain/batch/csv.ts', [
    '!(error instanceof CsvFault)',
    'false',
    'the reader throws nothing else',
  ]),
  ...of(
    'src-shared/domain/batch/import.ts',
    ['twice !== null', 'true', 'what appears twice is a known column'],
    ['cells.length > names.length', 'cells.length >= names.length', 'the lengths differ'],
  ),
  ...of(
    `${RISK}/shock-orders.ts`,
    [
      'parent !== null && after === null',
      'false',
      'what is attached to an order that is never reached fills nothing',
    ],
    ['after !== null', 'true', 'without a parent the earliest move is the first'],
    [
      'compareText(from, level) * (isBelow ? 1 : -1)',
      'compareText(from, level) / (isBelow ? 1 : -1)',
      'a product by 1 or −1 is the quotient',
    ],
  ),
  ...of(
    `${RISK}/liquidation-sequence.ts`,
    ['searched.set(pool, known);', ';', 'a pool is searched again, with the same result'],
    ['fills.length === 0', 'true', 'only how far ahead a pool is searched'],
    ['fills.length === 0', 'false', 'the same'],
    ['fills.length === 0', 'fills.length !== 0', 'the same'],
    [
      'known.at === null && greater(upTo, known.upTo)',
      'known.at === null || greater(upTo, known.upTo)',
      'a move up to which nothing broke is searched again, with the same result',
    ],
    ['known.at === null', 'true', 'a pool that breaks is replaced before a later move is asked for'],
    ['mover === undefined', 'false', 'what is liquidated is of its pool'],
    [
      "(mover.leg.side === 'BUY') === isPositive(mover.beta)",
      "mover.leg.side === 'BUY' !== isPositive(mover.beta)",
      'only whether two are alike is asked',
    ],
  ),
  ...of(
    `${ARCHIVE}/trades/writer.ts`,
    ['[]', '["Stryker was here"]', 'every place is written before a statement reads it'],
    ["'FULL'", '""', 'whatever is not NORMAL is synced'],
    ['this.#stored > before', 'true', 'a range of no rows counts none and joins the next one'],
    ['this.#stored > before', 'this.#stored >= before', 'the same'],
    ['sides.length === 0', 'false', 'a transaction without sides changes nothing'],
    ["typeof value === 'number'", 'true', 'an aggregate is a number or null'],
    ["oldest.get()?.['time']", "oldest.get()['time']", 'an aggregate always has a row'],
    ["newest.get()?.['time']", "newest.get()['time']", 'the same'],
    ["countQuarantine.get()?.['n']", "countQuarantine.get()['n']", 'the same'],
    ["this.#sql.largest.get()?.['n']", "this.#sql.largest.get()['n']", 'the same'],
    ['!isConflict(error)', 'false', 'the rows are inserted one by one, and the same one throws again'],
    ['row === undefined', 'false', 'the row in conflict is there'],
    ["'a trade conflicts with a row that is not there'", '""', 'the same'],
  ),
  ...of(
    `${ARCHIVE}/csv/time.ts`,
    ['suffixAt(other) === suffix', 'false', 'a range that ends early is followed by one of the same offset'],
    ['{\n      same = other;\n      continue;\n    }', '{}', 'the same'],
    [
      "format.formatToParts(time).find((part) => part.type === 'timeZoneName')?.value",
      "format.formatToParts(time).find(part => part.type === 'timeZoneName').value",
      'a format with the offset has that part',
    ],
    ["offset === ''", 'false', 'this ICU prints no offset as GMT+00:00, others as GMT'],
    ["''", '"Stryker was here!"', 'the same'],
    ["'+00:00'", '""', 'the same'],
  ),
  ...of(
    `${ARCHIVE}/export/closing-orders.ts`,
    [
      "db.prepare('SELECT coalesce(max(seq), 0) AS n FROM history_order').get()?.['n']",
      "db.prepare('SELECT coalesce(max(seq), 0) AS n FROM history_order').get()['n']",
      'an aggregate always has a row',
    ],
    ["open?.['n']", "open['n']", 'the same'],
    ["'z'", '""', 'the filter leaves out what changed before, and nothing changes after the largest integer'],
    ['own && traded', 'own || traded', 'a filter of contracts gives both, any other none'],
  ),
  ...of(
    `${ARCHIVE}/export/trade-lines.ts`,
    ['prepared === null || first[0] >= prepared.range.until', 'true', 'prepared again, with the same result'],
    ["'z'", '""', 'what is left of the range is another chunk'],
    ["row?.['n']", "row['n']", 'an aggregate always has a row'],
    ["row?.['lines']", "row['lines']", 'the same'],
    ["row?.['bytes']", "row['bytes']", 'the same'],
    ["asInteger(row?.['lines']) !== rows", 'false', 'no cell is NULL'],
    ["'a trade could not be written as a line'", '""', 'the same'],
  ),
  ...of(
    `${ARCHIVE}/export/tax-lines.ts`,
    ["'utf8'", '""', 'the encoding without a name'],
    ['rows.length < TRADES_PER_STEP', 'false', 'the next step finds no row and ends it'],
  ),
  ...of(
    `${ARCHIVE}/maintenance/integrity.ts`,
    ["row?.['n']", "row['n']", 'an aggregate always has a row'],
    ["row?.['last']", "row['last']", 'the same'],
    [
      "db.prepare('SELECT count(*) AS n FROM trade').get()?.['n']",
      "db.prepare('SELECT count(*) AS n FROM trade').get()['n']",
      'the same',
    ],
  ),
  ...of(
    `${ORDERS}/journal/journal.ts`,
    ['known !== undefined', 'false', 'a body is read again, with the same result'],
    ['opening.set(head, may);', ';', 'the same'],
    ['head === undefined', 'false', 'a head that is undefined is not written'],
    ['written !== undefined', 'true', 'the same'],
    ['record === undefined', 'false', 'each write that is valid has a record'],
    ['`journal: nothing was written of intent ${intentId}`', '``', 'the same'],
    ['records.filter((one) => one !== null)', 'records', 'the same'],
    ['one !== null', 'true', 'the same'],
    ['entry === undefined', 'false', 'a step that was applied has an entry'],
    ['`journal: there is no intent ${intentId}`', '``', 'the same'],
    ['orderId === undefined', 'false', 'no intent owns an order without an id'],
    [
      'orderId === undefined || own === undefined',
      'orderId === undefined && own === undefined',
      'the same; an intent that is missing is tested with an order id',
    ],
    [
      'recordsOf(this.#entries, own.record.connectionId)\n      .filter((one) => one.id !== intent)',
      'recordsOf(this.#entries, own.record.connectionId)',
      'no step brings an intent the order that it has',
    ],
    ['one.id !== intent', 'true', 'the same'],
    ['this.get(one.id)?.record', 'this.get(one.id).record', 'each record has its entry'],
    ["'unsure'", '""', 'neither the same nor another account'],
    ['known !== null', 'true', 'null refers to no list'],
  ),
  ...of(`${ORDERS}/journal/lines.ts`, ['orderId !== undefined', 'true', 'an undo names its order']),
  ...of(
    `${ORDERS}/journal/replay.ts`,
    ['{\n    return false;\n  }', '{}', 'undefined is as false'],
    ["raw === ''", 'false', 'no line can be read from an empty text'],
    ['intentId !== null', 'true', 'no intent has the id null'],
    ['intentId === null', 'false', 'the same'],
    [
      "kind !== 'practice' && kind !== 'live'",
      'false',
      'the kind is one of them or null, which no connection has',
    ],
    [
      "kind !== 'practice'",
      "kind === 'practice'",
      'there is one practice connection, so nothing of it is moved',
    ],
    ["kind !== 'practice'", 'true', 'the same'],
    ["'practice'", '""', 'the same'],
    ["side === 'BUY' || side === 'SELL'", 'true', 'the side is one of them or null'],
    ['text === null', 'false', 'nothing is read from null'],
  ),
  ...of(
    `${ORDERS}/reconcile/reconciler.ts`,
    ['!this.#isRunning', 'false', 'a round begins only while it runs'],
    ['watch.cancel();', ';', 'a stopped watch makes no round, and the timer of a running one has fired'],
    ['this.#watches.clear();', ';', 'none makes a round while it is stopped, and a start replaces each'],
    [
      "journal.list(connectionId).filter((one) => one.state === 'unknown')",
      'journal.list(connectionId)',
      'a round without an unknown outcome reads nothing',
    ],
    ["one.state === 'unknown'", 'true', 'the same'],
    ['!this.#isCurrent(symbolId, watch)', 'false', 'checked again when the round is due'],
    ['until > now', 'until >= now', 'nothing is blocked at the end of a block'],
    ['one.windows.at(-1)?.to', 'one.windows.at(-1).to', 'each has a window'],
    ['[]', '["Stryker was here"]', 'after a stop the evidence is dropped'],
    ['journal.head(id)?.position', 'journal.head(id).position', 'a searched intent has a head'],
    ['journal.get(id)?.finding', 'journal.get(id).finding', 'and a record'],
  ),
  ...of(
    `${ORDERS}/reconcile/manual.ts`,
    ['record?.finding', 'record.finding', 'an intent that is missing is blocked before'],
    ['record?.disowned', 'record.disowned', 'the same'],
    ['record.orderId === null', 'false', 'a matched intent has an order'],
    ['journal.get(intentId)?.state', 'journal.get(intentId).state', 'the intent was found before'],
  ),
  ...of(
    `${ORDERS}/reconcile/order-lists.ts`,
    [
      "{ list: 'order-history', outcome: 'complete', rows: 0 }",
      '{}',
      'each search has a window, so the history is read',
    ],
    ["'order-history'", '""', 'the same'],
    ["'complete'", '""', 'the same'],
    ['failure === undefined', 'false', 'a field that is undefined is not written'],
  ),
  ...of(`${ORDERS}/send/journaled-send.ts`, [
    'batch === undefined',
    'false',
    'a field that is undefined is not written',
  ]),
];
