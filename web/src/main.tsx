import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import './ui/base.css';

const root = document.querySelector('#root');
if (!root) throw new Error('the page has no place for the program');
createRoot(root).render(<StrictMode><App /></StrictMode>);
