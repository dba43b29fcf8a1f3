// The page begins: styles, then the app. It knows nothing else.

import { mount } from "svelte";
import App from "./App.svelte";
import "./style/base.css";
import "./style/layout.css";
import "./style/panels.css";
import "./style/dock.css";
import "./style/picture.css";
import "./style/narrow.css";

const target = document.getElementById("app");
if (target) mount(App, { target });
