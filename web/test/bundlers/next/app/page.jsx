"use client";

import { load } from "hushbit";
import { useEffect, useState } from "react";

export default function Page() {
  const [text, setText] = useState("");
  useEffect(() => {
    const privatize = async () => {
      const bundle = await load();
      setText((await bundle.privatizer().privatize("meet me at the station")).text);
    };
    privatize();
  }, []);
  return <p>{text}</p>;
}
