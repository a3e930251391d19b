import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { preferences } from './preferences.svelte'

preferences.show()
await preferences.speak()
mount(App, { target: document.getElementById('app')! })

// Registered after the first view, which it must not slow down; without it the page works all the same.
if (import.meta.env.PROD) addEventListener('load', () => void navigator.serviceWorker?.register('/worker.js').catch(() => undefined))
