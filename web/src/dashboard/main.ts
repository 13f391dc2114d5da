// SPDX-License-Identifier: Apache-2.0
import { mount } from 'svelte';
import '../theme.css';
import './dashboard.css';
import { useLocalTime } from '../lib/clock';
import App from './App.svelte';

useLocalTime();
mount(App, { target: document.getElementById('dashboard') ?? document.body });
