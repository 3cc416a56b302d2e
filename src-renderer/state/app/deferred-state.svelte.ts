import type { BatchProgress } from '../../../src-shared/ipc/batch.ts';
import { counted } from '../../../src-shared/domain/display/counted.ts';
import { failureText } from '../../text/failure-text.ts';
import { Batch, type BatchDeps } from '../batch/batch.svelte.ts';
import { ClosePositions, type ClosePositionsDeps } from '../close/close-positions.svelte.ts';
import { type CloseDeps, ClosePosition } from '../close/close.svelte.ts';
import { ConventionFit } from '../account/tier-convention.svelte.ts';
import { OrderNotes } from '../order/notes.svelte.ts';
import { OrderToasts } from '../order/order-toasts.svelte.ts';
import { Review } from '../order/review.svelte.ts';
import { Ticket, type TicketDeps } from '../ticket/ticket.svelte.ts';
import { TradeExport } from '../trades/export.svelte.ts';
import { TradeImport } from '../trades/import.svelte.ts';
import { TradeLog } from '../trades/log.svelte.ts';
import { ConnectionTests } from '../settings/connection-tests.svelte.ts';
import { Backups } from '../settings/backups.svelte.ts';
import { ExportSchedules } from '../settings/export-schedule.svelte.ts';
import { Help } from './help.svelte.ts';

/** The rest of the window's state. `fit` and `review` are those of the deferred state itself. */
export interface DeferredDeps extends TicketDeps, CloseDeps, ClosePositionsDeps, BatchDeps {}

/** Shared state that the first figures do not need: orders, the trade log, estimates. Loaded after the first frame. */
export class DeferredState {
  readonly fit: ConventionFit;
  readonly connectionTests: ConnectionTests;
  readonly help: Help;
  readonly review: Review;
  readonly toasts: OrderToasts;
  readonly ticket: Ticket;
  readonly close: ClosePosition;
  readonly closePositions: ClosePositions;
  readonly batch: Batch;
  readonly notes: OrderNotes;
  readonly tradeLog: TradeLog;
  readonly tradeExport: TradeExport;
  readonly tradeImport: TradeImport;
  readonly backups: Backups;
  readonly exportSchedules: ExportSchedules;
  readonly #app: DeferredDeps;

  constructor(app: DeferredDeps) {
    this.#app = app;
    const { calls, clock, feeds, intents, notices, session, settings } = app;
    this.fit = new ConventionFit(app);
    this.connectionTests = new ConnectionTests(calls);
    this.help = new Help(calls, session, settings);
    this.review = new Review(calls, app);
    this.ticket = new Ticket(app);
    this.close = new ClosePosition(app);
    this.closePositions = new ClosePositions(app);
    const sheets = [this.review, this.closePositions];
    this.toasts = new OrderToasts({ intents, feeds, sheets, time: clock.time });
    this.batch = new Batch(calls, app);
    this.notes = new OrderNotes(calls, clock.time);
    this.tradeLog = new TradeLog(calls, clock, settings, this.notes);
    this.tradeExport = new TradeExport(calls, clock, settings, this.tradeLog, notices);
    this.tradeImport = new TradeImport(calls);
    this.backups = new Backups(calls);
    this.exportSchedules = new ExportSchedules(calls);
  }

  /** Switches to the open connection: no draft and no sheet of the previous one stays. */
  follow(connectionId: string): void {
    this.review.close();
    this.toasts.reset();
    this.ticket.reset();
    this.close.cancel();
    this.closePositions.reset();
    void this.batch.follow(connectionId).then(() => this.closePositions.resume());
    this.notes.follow(connectionId);
    this.tradeLog.follow(connectionId);
    this.tradeExport.follow(connectionId);
    this.tradeImport.follow(connectionId);
  }

  /** Takes the progress of a batch, and says that it has ended where its rows are not on screen. */
  batchChanged(progress: BatchProgress): void {
    const { batch, closePositions } = this;
    const { navigation, notices, session } = this.#app;
    batch.sent.receive(progress);
    const { connectionId: id, stoppedBy } = progress;
    // A switch stops it, and ends what would show that.
    const isLeft = id !== session.activeId || stoppedBy?.field === 'connection';
    // Its sheet shows the same; after a reload of the window it is not open yet.
    if (progress.closing === true && !isLeft) {
      closePositions.resume();
      return;
    }
    if (progress.state === 'sending') return;
    if (!isLeft && navigation.screen === 'batch' && batch.shows(progress)) return;
    const [what, unit] = progress.closing === true ? ['Closing of positions', 'order'] : ['Batch', 'row'];
    const sent = `${progress.sent} of ${counted(progress.rows, unit)} sent`;
    if (stoppedBy === null)
      notices.push('info', `${what}: ${sent}`, 'Batch shows the outcome of each row.', false, id);
    else notices.push('warn', `${what} stopped: ${sent}`, failureText(stoppedBy), isLeft, id);
  }
}
