import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/figures.css';
import './styles/facts.css';
import './styles/plain-table.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { windowBridge } from './bridge.ts';
import { AppState } from './state/app/app-state.svelte.ts';
import type { DeferredState } from './state/app/deferred-state.svelte.ts';
import { windowTime } from './state/runtime/clock.svelte.ts';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html lacks #app');
const loadDeferred = async (): Promise<typeof DeferredState> =>
  (await import('./later.ts')).default.DeferredState;
const state = new AppState(windowBridge(), windowTime, loadDeferred);
state.start();
// Mounts the window once, with the user's settings and the figures there are, instead of first without them.
void state.ready.then(() => mount(App, { target, props: { state } }));
