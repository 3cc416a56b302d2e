/** The page of all components on a fake bridge, for development. */
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/explained.css';
import '../styles/figures.css';
import '../styles/facts.css';
import '../styles/plain-table.css';
import { mount } from 'svelte';
import { AppState } from '../state/app/app-state.svelte.ts';
import { DeferredState } from '../state/app/deferred-state.svelte.ts';
import { FakeBridge, FakeTime } from '../../tests/renderer/fake-bridge.ts';
import Components from './Components.svelte';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html lacks #app');
const app = new AppState(new FakeBridge(), new FakeTime(), () => Promise.resolve(DeferredState));
app.attach(new DeferredState(app));
app.start();
mount(Components, { target, props: { app } });
