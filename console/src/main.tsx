import './pages/entry/link-token.ts';
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/surfaces.css';
import './style/tables.css';
import './style/layout.css';
import { render } from 'preact';

import { App, begin } from './app.tsx';
import { applyTheme } from './theme.ts';

applyTheme();
begin();

const place = document.querySelector('#app');
if (place) render(<App />, place);
