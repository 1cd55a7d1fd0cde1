// Entry point of the browser app. Shared styles come first so that components can override them.
import './style.css';
import { createApp } from 'vue';
import App from './App.vue';

createApp(App).mount('#app');
