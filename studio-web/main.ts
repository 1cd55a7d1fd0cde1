// Starts the browser app.
// The shared styles come first, so that those of the components can say otherwise.
import './style.css';
import { createApp } from 'vue';
import App from './App.vue';

createApp(App).mount('#app');
