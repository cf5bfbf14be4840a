// Menus, a tree, tabs, combo boxes and an editable table in Java Swing. The diary on standard output says what happened.
import java.awt.BorderLayout;
import java.awt.Dimension;
import java.awt.GridLayout;
import java.nio.charset.StandardCharsets;
import java.io.PrintStream;
import javax.swing.*;
import javax.swing.event.TreeExpansionEvent;
import javax.swing.event.TreeExpansionListener;
import javax.swing.table.DefaultTableModel;
import javax.swing.tree.DefaultMutableTreeNode;

public class SwingForms {
    static final PrintStream OUT = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);

    static void diary(String key, Object value) {
        String text = String.valueOf(value).replace("\\", "\\\\").replace("\"", "\\\"");
        OUT.println("{\"" + key + "\": \"" + text + "\"}");
    }

    static JMenuItem item(JMenuItem item) {
        item.addActionListener(event -> diary("chosen", item.getText()));
        return item;
    }

    static JMenuBar menus() {
        JMenuBar bar = new JMenuBar();
        JMenu file = new JMenu("File");
        file.add(item(new JMenuItem("Open")));
        JMenu recent = new JMenu("Recent");
        recent.add(item(new JMenuItem("notes.txt")));
        file.add(recent);
        JMenu view = new JMenu("View");
        view.add(item(new JCheckBoxMenuItem("Grid")));
        bar.add(file);
        bar.add(view);
        return bar;
    }

    static JTree tree() {
        DefaultMutableTreeNode root = new DefaultMutableTreeNode("Library");
        for (String shelf : new String[] {"Poems", "Plays"}) {
            DefaultMutableTreeNode node = new DefaultMutableTreeNode(shelf);
            for (int n = 1; n <= 3; n++) node.add(new DefaultMutableTreeNode(shelf + " " + n));
            root.add(node);
        }
        JTree tree = new JTree(root);
        tree.getAccessibleContext().setAccessibleName("Books");
        tree.addTreeSelectionListener(event -> diary("node", event.getNewLeadSelectionPath() == null ? "" : event.getPath().getLastPathComponent()));
        tree.addTreeExpansionListener(new TreeExpansionListener() {
            public void treeExpanded(TreeExpansionEvent event) { diary("expanded", event.getPath().getLastPathComponent()); }
            public void treeCollapsed(TreeExpansionEvent event) { diary("collapsed", event.getPath().getLastPathComponent()); }
        });
        return tree;
    }

    static JTable table() {
        DefaultTableModel model = new DefaultTableModel(new Object[] {"Task", "Owner", "Done"}, 0) {
            @Override public Class<?> getColumnClass(int column) { return column == 2 ? Boolean.class : String.class; }
        };
        for (int n = 1; n <= 40; n++) model.addRow(new Object[] {"Task " + n, n % 2 == 0 ? "Ada" : "Alan", n % 3 == 0});
        model.addTableModelListener(event -> {
            if (event.getColumn() >= 0) diary("cell", event.getFirstRow() + "," + event.getColumn() + "=" + model.getValueAt(event.getFirstRow(), event.getColumn()));
        });
        JTable table = new JTable(model);
        table.getAccessibleContext().setAccessibleName("Tasks");
        table.putClientProperty("terminateEditOnFocusLost", true);
        table.getSelectionModel().addListSelectionListener(event -> {
            if (!event.getValueIsAdjusting() && table.getSelectedRow() >= 0) diary("row", table.getValueAt(table.getSelectedRow(), 0));
        });
        return table;
    }

    static JPanel fields() {
        JPanel form = new JPanel(new GridLayout(0, 2, 4, 4));
        JComboBox<String> size = new JComboBox<>(new String[] {"Small", "Medium", "Large"});
        size.addActionListener(event -> diary("size", size.getSelectedItem()));
        JComboBox<String> font = new JComboBox<>(new String[] {"Serif", "Sans"});
        font.setEditable(true);
        font.addActionListener(event -> diary("font", font.getSelectedItem()));
        JSpinner day = new JSpinner(new SpinnerListModel(new String[] {"Monday", "Tuesday", "Wednesday"}));
        day.addChangeListener(event -> diary("day", day.getValue()));
        JSpinner count = new JSpinner(new SpinnerNumberModel(5, 0, 50, 5));
        count.addChangeListener(event -> diary("count", count.getValue()));
        JSlider zoom = new JSlider(0, 200, 100);
        zoom.addChangeListener(event -> { if (!zoom.getValueIsAdjusting()) diary("zoom", zoom.getValue()); });
        JTextField title = new JTextField("Report");
        title.addActionListener(event -> diary("title", title.getText()));
        Object[] all = {"Size", size, "Font", font, "Day", day, "Count", count, "Zoom", zoom, "Title", title};
        for (int at = 0; at < all.length; at += 2) {
            JLabel label = new JLabel((String) all[at]);
            label.setLabelFor((JComponent) all[at + 1]);
            form.add(label);
            form.add((JComponent) all[at + 1]);
        }
        return form;
    }

    public static void main(String[] args) throws Exception {
        SwingUtilities.invokeAndWait(() -> {
            JFrame frame = new JFrame("Swing forms");
            frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
            frame.setJMenuBar(menus());
            JTabbedPane tabs = new JTabbedPane();
            tabs.addTab("Form", fields());
            tabs.addTab("Help", new JLabel("Nothing here"));
            tabs.addChangeListener(event -> diary("tab", tabs.getTitleAt(tabs.getSelectedIndex())));
            JScrollPane books = new JScrollPane(tree());
            books.setPreferredSize(new Dimension(160, 200));
            JScrollPane tasks = new JScrollPane(table());
            tasks.setPreferredSize(new Dimension(520, 160));
            frame.add(tabs, BorderLayout.CENTER);
            frame.add(books, BorderLayout.WEST);
            frame.add(tasks, BorderLayout.SOUTH);
            frame.pack();
            frame.setVisible(true);
        });
        OUT.println("{\"ready\": true}");
        while (System.in.read() >= 0) { }
        System.exit(0);
    }
}
