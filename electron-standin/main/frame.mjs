import { originOf, toElectron } from './address.mjs';
import { supportedClass } from './supported.mjs';

/** The main frame of a page: the only one that runs a preload and may send messages to the main process. */
export class WebFrameMain extends supportedClass('WebFrameMain', ['dom-ready']) {
  #contents;
  #address;
  /** @param address fixed for the frame of one message; by default the frame's current address */
  constructor(contents, address) {
    super();
    this.#contents = contents;
    this.#address = address;
  }
  get url() {
    return this.#address === undefined ? this.#contents.getURL() : toElectron(this.#address);
  }
  get origin() {
    return originOf(this.url);
  }
  get parent() {
    return null;
  }
  get top() {
    return this;
  }
  get frames() {
    return [];
  }
  get name() {
    return '';
  }
  get routingId() {
    return 1;
  }
  get processId() {
    return this.#contents.getProcessId();
  }
  get frameTreeNodeId() {
    return this.#contents.id;
  }
  get detached() {
    return this.#contents.isDestroyed();
  }
  isDestroyed() {
    return this.#contents.isDestroyed();
  }
  send(channel, ...args) {
    this.#contents.send(channel, ...args);
  }
}
