import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { preferences } from './preferences.svelte'

preferences.show()
await preferences.speak()
mount(App, { target: document.getElementById('app')! })
